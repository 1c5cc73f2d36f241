namespace Larder.Client.Leases;

/// <summary>
/// Thrown by a factory that has created a value which cannot be stored. The lease is released and the callers get the exception, which contains the new value,
/// even if there is a stale value.
/// </summary>
internal abstract class UnstorableValueException(string reason) : Exception(reason);
