using System.Collections.Concurrent;
using Larder.Wire;

namespace Larder.Client;

/// <summary>The metadata of calls. It is created once per cache name, and all calls on that cache share it.</summary>
internal sealed class CallHeaders
{
    // The maximum number of cache names whose metadata is stored. It limits memory use. The metadata of calls with further names is created for each call.
    private const int MaxNames = 1_024;

    private static readonly string s_agent = $"larder-dotnet:{typeof(CallHeaders).Assembly.GetName().Version?.ToString(3)}";

    private readonly Configuration _configuration;
    private readonly TokenSource? _tokens;
    private volatile OfToken _current;

    /// <param name="credentials">The source of a fixed token.</param>
    /// <param name="configuration">The source of additional headers.</param>
    /// <param name="tokens">The source of a token provider's token, which replaces the token of the credentials. Null if there is no provider.</param>
    public CallHeaders(CredentialProvider credentials, Configuration configuration, TokenSource? tokens = null)
    {
        _configuration = configuration;
        _tokens = tokens;
        _current = Make(tokens?.Current ?? new ShownToken(0, credentials.Token));
    }

    /// <summary>Gets the metadata with the current token.</summary>
    public OfToken Now
    {
        get
        {
            OfToken current = _current;
            return _tokens is null || _tokens.Current.Number == current.Shown ? current : _current = Make(_tokens.Current);
        }
    }

    /// <summary>Gets the number of cache names with stored metadata.</summary>
    public int Names => Now.Names;

    /// <summary>Gets the metadata of a call without a cache name.</summary>
    public RpcHeaders Common => Now.Common;

    /// <summary>
    /// Returns the metadata of a connection's first call. The metadata contains the client's name and version, which the server uses to count connections by
    /// client version.
    /// </summary>
    public static RpcHeaders Greeting(RpcHeaders headers) => headers.With("agent", s_agent);

    /// <summary>Returns the metadata of a call on a cache.</summary>
    public RpcHeaders For(string cache) => Now.For(cache);

    private OfToken Make(ShownToken shown)
    {
        IEnumerable<KeyValuePair<string, string>> token = shown.Text.Length > 0 ? [new("authorization", shown.Text)] : [];
        return new OfToken(shown.Number, new RpcHeaders([.. token, .. _configuration.Headers]));
    }

    /// <summary>The metadata of calls with one token.</summary>
    internal sealed class OfToken(int shown, RpcHeaders common)
    {
        private readonly ConcurrentDictionary<string, RpcHeaders> _byCache = new(StringComparer.Ordinal);

        /// <summary>Gets the version of the provider's token, or 0 if there is no provider.</summary>
        public int Shown => shown;

        public int Names => _byCache.Count;

        public RpcHeaders Common => common;

        public RpcHeaders For(string cache)
        {
            if (_byCache.TryGetValue(cache, out RpcHeaders? headers))
            {
                return headers;
            }

            headers = common.With("cache", cache);
            if (_byCache.Count < MaxNames)
            {
                _byCache.TryAdd(cache, headers);
            }

            return headers;
        }
    }
}
