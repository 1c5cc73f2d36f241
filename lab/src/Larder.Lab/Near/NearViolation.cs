namespace Larder.Lab.Near;

/// <summary>A read that violates the rules, as the records of all processes together show.</summary>
internal enum NearViolation
{
    /// <summary>The version had been superseded for longer than a lease.</summary>
    PastLease,

    /// <summary>The value was read after its time to live.</summary>
    Expired,

    /// <summary>The version was never written.</summary>
    NeverWritten,

    /// <summary>A miss that no delete explains.</summary>
    MissedNothing,
}
