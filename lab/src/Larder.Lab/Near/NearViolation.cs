namespace Larder.Lab.Near;

/// <summary>The kind of a read that violates the rules. Violations are found in the records of all processes together.</summary>
internal enum NearViolation
{
    /// <summary>The version had been superseded for longer than a lease.</summary>
    PastLease,

    /// <summary>The value was read after its TTL had expired.</summary>
    Expired,

    /// <summary>The version was never written.</summary>
    NeverWritten,

    /// <summary>The read was a miss, although no delete explains it.</summary>
    MissedNothing,
}
