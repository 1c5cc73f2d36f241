namespace Larder.Client;

/// <summary>Where the value of a <see cref="GetOrCreateResult{T}"/> came from.</summary>
public enum GetOrCreateSource
{
    /// <summary>The value was in the cache.</summary>
    Hit = 0,

    /// <summary>
    /// The factory created the value, and the request to store it succeeded. With a lease, this request also succeeds if the server did not store the value
    /// because the key was written while the factory ran or because the lease had ended. The source is the same if the factory has set
    /// <see cref="FactoryContext{T}.DoNotStore"/>.
    /// </summary>
    Created = 1,

    /// <summary>
    /// The value was in the cache and has expired. <see cref="GetOrCreateOptions.RevalidateFor"/> and <see cref="GetOrCreateOptions.FailSafeFor"/> control when
    /// it is returned.
    /// </summary>
    Stale = 2,

    /// <summary>
    /// The factory created the value, but the cache could not be read or the value could not be stored. <see cref="GetOrCreateResult{T}.Error"/> is the reason.
    /// </summary>
    Uncached = 3,
}
