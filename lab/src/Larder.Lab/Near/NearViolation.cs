namespace Larder.Lab.Near;

/// <summary>What a read must not have given, as the records of all processes together show it.</summary>
internal enum NearViolation
{
    /// <summary>A version more than a lease after it was gone.</summary>
    PastLease,

    /// <summary>A value after its time to live.</summary>
    Expired,

    /// <summary>A version that nobody wrote.</summary>
    NeverWritten,

    /// <summary>Nothing, where no delete explains it.</summary>
    MissedNothing,
}
