namespace Larder.Agent;

/// <summary>The phase of a load run. Phases only advance.</summary>
internal enum LoadPhase
{
    /// <summary>Calls are made but not counted.</summary>
    WarmingUp,

    /// <summary>Calls that end now are counted.</summary>
    Measuring,

    /// <summary>No new calls start. Calls in flight are awaited and counted as late.</summary>
    Draining,
}
