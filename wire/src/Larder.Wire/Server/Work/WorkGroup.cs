namespace Larder.Wire;

/// <summary>
/// The connections that share one part of the workers' time: all connections of one token, or a single connection without a token. Its state belongs to the
/// scheduler's lock.
/// </summary>
internal sealed class WorkGroup
{
    /// <summary>The connections of this group that have waiting work.</summary>
    internal List<WorkShare> Active { get; } = [];

    /// <summary>Whether it is in the scheduler's list of those with work.</summary>
    internal bool IsActive { get; set; }

    /// <summary>Worker time used so far, in ticks of the scheduler's clock; raised to the current floor when the group becomes active.</summary>
    internal long Used { get; set; }

    /// <summary>The used time of the connection that ran last: one that becomes active again starts there and cannot save up time.</summary>
    internal long Floor { get; set; }

    /// <summary>Work items that have begun and not ended.</summary>
    internal int Started { get; set; }
}
