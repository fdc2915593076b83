//! How `auto` plays where random games would judge: a quarter of the budget first goes to a proof, since who can know need not
//! guess. What is won or drawn is played so; where all is lost, random games choose how.

use crate::entry::{AnyPosition, Listed, Seat};
use crate::guarded::part;
use crate::methods::Method;
use crate::report::{Error, Purpose, Report, Request, Status, Watcher};
use endspiel_game::{Budget, Expertise, Game};

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// A proven move, or what `method` thinks with the rest of the budget. Without a limit a proof might never end, and
    /// there is none.
    pub(crate) fn know_or_guess(
        &self,
        request: &Request,
        (method, why): (Method, Option<String>),
        watcher: &dyn Watcher,
    ) -> Result<Report, Error> {
        let Budget { nodes, time, .. } = request.budget;
        let quarter = part(&request.budget, 1, 4);
        if nodes.is_some() || time.is_some() {
            let proof = Request { purpose: Purpose::Prove, budget: quarter.clone(), ..request.clone() };
            let report = self.solve(&proof, watcher)?;
            let keeps = report.status == Status::Proven && report.value != Some("loss");
            if keeps && !report.line.is_empty() {
                return Ok(report);
            }
        }
        let budget = Budget {
            nodes: nodes.zip(quarter.nodes).map(|(all, spent)| all.saturating_sub(spent)),
            time: time.zip(quarter.time).map(|(all, spent)| all.saturating_sub(spent)),
            ..quarter
        };
        let rest = Request { method: method.about().name.into(), budget, ..request.clone() };
        Ok(Report { why, ..self.solve(&rest, watcher)? })
    }
}
