using System.Collections.Concurrent;
using Larder.Wire;

namespace Larder.Client;

/// <summary>The metadata of calls, made once for each cache name and shared by its calls.</summary>
internal sealed class CallHeaders
{
    // An application has a handful of caches; beyond this many names the metadata is made for each call.
    private const int MostNames = 1_024;

    private static readonly string s_agent = $"larder-dotnet:{typeof(CallHeaders).Assembly.GetName().Version?.ToString(3)}";

    private readonly Configuration _configuration;
    private readonly TokenSource? _tokens;
    private volatile OfToken _current;

    /// <param name="credentials">Whose token it is.</param>
    /// <param name="configuration">Whose headers travel too.</param>
    /// <param name="tokens">A provider's token instead; null: there is no provider.</param>
    public CallHeaders(CredentialProvider credentials, Configuration configuration, TokenSource? tokens = null)
    {
        _configuration = configuration;
        _tokens = tokens;
        _current = Make(tokens?.Current ?? new ShownToken(0, credentials.Token));
    }

    /// <summary>The metadata with the token of now.</summary>
    public OfToken Now
    {
        get
        {
            OfToken current = _current;
            return _tokens is null || _tokens.Current.Number == current.Shown ? current : _current = Make(_tokens.Current);
        }
    }

    /// <summary>Names whose metadata is kept.</summary>
    public int Names => Now.Names;

    /// <summary>Metadata of a call that names no cache.</summary>
    public RpcHeaders Common => Now.Common;

    /// <summary>The metadata of a connection's first call, which says whose it is: the server counts its connections by that.</summary>
    public static RpcHeaders Greeting(RpcHeaders headers) => headers.With("agent", s_agent);

    /// <summary>Metadata of a call on a cache.</summary>
    public RpcHeaders For(string cache) => Now.For(cache);

    private OfToken Make(ShownToken shown)
    {
        IEnumerable<KeyValuePair<string, string>> token = shown.Text.Length > 0 ? [new("authorization", shown.Text)] : [];
        return new OfToken(shown.Number, new RpcHeaders([.. token, .. _configuration.Headers]));
    }

    /// <summary>The metadata of calls that show one token.</summary>
    internal sealed class OfToken(int shown, RpcHeaders common)
    {
        private readonly ConcurrentDictionary<string, RpcHeaders> _byCache = new(StringComparer.Ordinal);

        /// <summary>The number of the provider's token; 0: there is no provider.</summary>
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
            if (_byCache.Count < MostNames)
            {
                _byCache.TryAdd(cache, headers);
            }

            return headers;
        }
    }
}
