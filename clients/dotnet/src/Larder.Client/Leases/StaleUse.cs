namespace Larder.Client.Leases;

/// <summary>How a request uses an expired value.</summary>
internal enum StaleUse
{
    /// <summary>Return it as a hit: its whole time to live has not ended; it was stored with a shorter one, to be refreshed ahead.</summary>
    Hit,

    /// <summary>Return it as stale.</summary>
    Stale,

    /// <summary>Create a new value first.</summary>
    Load,

    /// <summary>Create a new value first. If that fails or takes too long, return the old value as stale.</summary>
    LoadOrStale,

    /// <summary>Wait for another caller that is creating the value.</summary>
    Wait,
}
