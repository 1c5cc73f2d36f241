namespace Larder.Wire;

/// <summary>One connection's part of the workers' time, and its waiting work. Its state belongs to the scheduler's lock.</summary>
internal sealed class WorkShare
{
    /// <summary>A share in a group of its own.</summary>
    public WorkShare() => Group = new WorkGroup();

    /// <summary>The group that this connection belongs to.</summary>
    public WorkGroup Group { get; internal set; }

    /// <summary>
    /// Short work of the connection itself (<see cref="WorkYield"/>). It goes before its long calls and is not limited by their number: the connection would
    /// wait for them otherwise.
    /// </summary>
    internal Queue<IWorkItem> Continuations { get; } = new();

    /// <summary>Work that has not begun, first in, first out.</summary>
    internal Queue<IWorkItem> Waiting { get; } = new();

    /// <summary>Work that has begun and waits for a slot.</summary>
    internal Queue<WorkThread> Paused { get; } = new();

    /// <summary>As <see cref="WorkGroup.Used"/>.</summary>
    internal long Used { get; set; }

    /// <summary>Work items that have begun and not ended.</summary>
    internal int Started { get; set; }

    /// <summary>Whether it is in its group's list of those with work.</summary>
    internal bool IsActive { get; set; }

    internal bool HasWork => Continuations.Count > 0 || Waiting.Count > 0 || Paused.Count > 0;
}
