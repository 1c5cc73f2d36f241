namespace Larder.Wire;

/// <summary>
/// The connections that share one part of the workers' time. These are all connections of one token, or a single connection without a token. Guarded by the
/// scheduler's lock.
/// </summary>
internal sealed class WorkGroup
{
    /// <summary>Gets the connections of this group that have waiting work.</summary>
    internal List<WorkShare> Active { get; } = [];

    /// <summary>Gets or sets whether the group is in the scheduler's list of groups with waiting work.</summary>
    internal bool IsActive { get; set; }

    /// <summary>
    /// Gets or sets the worker time used so far, in ticks of the scheduler's clock. When the group becomes active, the value is raised to the lowest value of
    /// the active groups.
    /// </summary>
    internal long Used { get; set; }

    /// <summary>
    /// Gets or sets the used worker time of the connection that ran last. When a connection becomes active, its used time is raised to this value, so that it
    /// cannot save up unused time.
    /// </summary>
    internal long Floor { get; set; }

    /// <summary>Gets or sets the number of work items that have started but not ended.</summary>
    internal int Started { get; set; }
}
