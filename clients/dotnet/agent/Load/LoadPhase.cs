namespace Larder.Agent;

/// <summary>Where a load run stands; it only ever goes forward.</summary>
internal enum LoadPhase
{
    /// <summary>Calls are made and not counted.</summary>
    WarmingUp,

    /// <summary>Calls that end are counted.</summary>
    Measuring,

    /// <summary>No call is begun; those in flight are awaited and counted as late.</summary>
    Draining,
}
