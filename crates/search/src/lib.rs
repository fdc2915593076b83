//! Methods that look ahead: one module a method.
