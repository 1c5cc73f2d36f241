using System.Collections.Concurrent;
using Larder.Wire;

namespace Larder.Client;

/// <summary>The metadata of calls, made once for each cache name and shared by its calls.</summary>
internal sealed class CallHeaders
{
    // An application has a handful of caches; beyond this many names the metadata is made for each call.
    private const int MostNames = 1_024;

    private static readonly string s_agent = $"larder-dotnet:{typeof(CallHeaders).Assembly.GetName().Version?.ToString(3)}";

    private readonly RpcHeaders _common;
    private readonly ConcurrentDictionary<string, RpcHeaders> _byCache = new(StringComparer.Ordinal);

    public CallHeaders(CredentialProvider credentials, Configuration configuration)
    {
        IEnumerable<KeyValuePair<string, string>> token = credentials.Token.Length > 0 ? [new("authorization", credentials.Token)] : [];
        _common = new RpcHeaders([.. token, .. configuration.Headers]);
    }

    /// <summary>Names whose metadata is kept.</summary>
    public int Names => _byCache.Count;

    /// <summary>Metadata of a call that names no cache.</summary>
    public RpcHeaders Common => _common;

    /// <summary>The metadata of a connection's first call, which says whose it is: the server counts its connections by that.</summary>
    public static RpcHeaders Greeting(RpcHeaders headers) => headers.With("agent", s_agent);

    /// <summary>Metadata of a call on a cache.</summary>
    public RpcHeaders For(string cache)
    {
        if (_byCache.TryGetValue(cache, out RpcHeaders? headers))
        {
            return headers;
        }

        headers = _common.With("cache", cache);
        if (_byCache.Count < MostNames)
        {
            _byCache.TryAdd(cache, headers);
        }

        return headers;
    }
}
