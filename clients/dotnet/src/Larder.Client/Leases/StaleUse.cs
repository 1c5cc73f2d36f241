namespace Larder.Client.Leases;

/// <summary>How a request uses an expired value.</summary>
internal enum StaleUse
{
    /// <summary>
    /// Return the value as a hit. Its actual time to live has not ended. It was stored with a shorter time to live so that it is refreshed ahead of its expiry.
    /// </summary>
    Hit,

    /// <summary>Return the value as stale.</summary>
    Stale,

    /// <summary>Create a new value first.</summary>
    Load,

    /// <summary>Create a new value first. If that fails or takes too long, return the old value as stale.</summary>
    LoadOrStale,

    /// <summary>Wait for another caller that is creating the value.</summary>
    Wait,

    /// <summary>Wait for another caller that is creating the value. If that takes too long, return the old value as stale.</summary>
    WaitOrStale,
}
