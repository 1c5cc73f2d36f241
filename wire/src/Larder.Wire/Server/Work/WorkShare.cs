namespace Larder.Wire;

/// <summary>One connection's part of the workers' time, and its waiting work. Guarded by the scheduler's lock.</summary>
internal sealed class WorkShare
{
    /// <summary>Creates a share in a new group.</summary>
    public WorkShare() => Group = new WorkGroup();

    /// <summary>Gets the group that the connection belongs to.</summary>
    public WorkGroup Group { get; internal set; }

    /// <summary>
    /// Gets the connection's own short work (<see cref="WorkYield"/>). It runs before the connection's long calls, even if the limit of started items is
    /// reached. Otherwise the connection would wait for its own long calls.
    /// </summary>
    internal Queue<IWorkItem> Continuations { get; } = new();

    /// <summary>Gets the work that has not started. The oldest work starts first.</summary>
    internal Queue<IWorkItem> Waiting { get; } = new();

    /// <summary>Gets the started work that is paused until a slot is free.</summary>
    internal Queue<WorkThread> Paused { get; } = new();

    /// <summary>Gets or sets the worker time that the connection has used so far, in the unit of <see cref="WorkGroup.Used"/>.</summary>
    internal long Used { get; set; }

    /// <summary>Gets or sets the number of work items that have started but not ended.</summary>
    internal int Started { get; set; }

    /// <summary>Gets or sets whether the share is in its group's list of connections with waiting work.</summary>
    internal bool IsActive { get; set; }

    internal bool HasWork => Continuations.Count > 0 || Waiting.Count > 0 || Paused.Count > 0;
}
