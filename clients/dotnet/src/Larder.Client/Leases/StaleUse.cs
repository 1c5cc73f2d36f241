namespace Larder.Client.Leases;

/// <summary>What becomes of a value that has expired, for one who asks for it.</summary>
internal enum StaleUse
{
    /// <summary>Its time to live is not over yet: it was stored to be made anew before that.</summary>
    Hit,

    /// <summary>It is answered, as stale.</summary>
    Stale,

    /// <summary>It is made before anything is answered.</summary>
    Load,

    /// <summary>The same; where that fails, or takes long, the value is answered, as stale.</summary>
    LoadOrStale,

    /// <summary>Somebody else makes it, and nothing is answered meanwhile.</summary>
    Wait,
}
