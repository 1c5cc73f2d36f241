namespace Larder.Client;

/// <summary>The keys for which an adapter needs a near cache.</summary>
/// <param name="Cache">The cache's name.</param>
/// <param name="KeyPrefix">The prefix of the keys, or an empty string for all keys of the cache.</param>
/// <param name="MaxBytes">The memory for the copies, in bytes.</param>
internal sealed record NearScope(string Cache, string KeyPrefix, long MaxBytes)
{
    /// <summary>
    /// Returns a configuration with a near cache for all scopes, and with the sum of their memory. Returns the configuration unchanged if it has a near cache
    /// or cannot have one.
    /// </summary>
    public static Configuration Apply(IReadOnlyList<NearScope> scopes, Configuration to)
    {
        if (scopes.Count == 0 || to.NearCache is not null || to.Transport == Transport.Unary)
        {
            return to;
        }

        return to with
        {
            NearCache = new NearCache
            {
                MaxBytes = scopes.Sum(static scope => scope.MaxBytes),
                // A copy ends with its entry. It needs no other limit, because the server reports each change.
                MaxAge = TimeSpan.FromDays(365),
                Caches = [.. scopes.Select(static scope => scope.Cache).Distinct()],
                KeyPrefixes = scopes.Any(static scope => scope.KeyPrefix.Length == 0)
                    ? null
                    : [.. scopes.Select(static scope => (CacheBytes)scope.KeyPrefix).Distinct()],
            },
        };
    }
}
