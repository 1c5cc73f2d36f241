using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>A request's header block as it is decoded: what HTTP/2 itself has to know, and the rest for the call.</summary>
internal sealed class RequestHead : IHeaderSink
{
    private const string GrpcContentType = "application/grpc";

    private RpcRequestHeaders? _headers;
    private bool _hasRegular;
    private bool _isPost;
    private bool _isGrpc;
    private bool _hasScheme;
    private bool _hasMethod;
    private bool _hasAuthority;
    private bool _hasPath;
    private int _fields;
    private int _contentLength = BodyLength.Untold;

    /// <summary>
    /// Fields that a call may carry: gRPC's own clients send about ten, and each costs its decoding and every look-up. A call with more is refused.
    /// </summary>
    public const int MaxFields = 128;

    /// <summary>The path; empty until it was seen.</summary>
    public string Path { get; private set; } = "";

    /// <summary>True where the block breaks a rule of RFC 9113, section 8: the stream is reset.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>What <c>content-length</c> says, in bytes; -1 where there is none.</summary>
    public int ContentLength => _contentLength;

    /// <summary>Fields beyond <see cref="MaxFields"/>, which were not kept.</summary>
    public int FieldsTooMany => Math.Max(0, _fields - MaxFields);

    /// <summary>Begins a request's block; its fields go to <paramref name="headers"/>, or nowhere: those of refused streams are only decoded.</summary>
    public void Begin(RpcRequestHeaders? headers) => Begin(headers, isTrailers: false);

    /// <summary>Begins a block of trailers, whose fields nobody asks for. Pseudo-headers are none of them.</summary>
    public void BeginTrailers() => Begin(null, isTrailers: true);

    private void Begin(RpcRequestHeaders? headers, bool isTrailers)
    {
        _headers = headers;
        _hasRegular = isTrailers;
        _hasAuthority = false;
        _hasPath = false;
        _fields = 0;
        _contentLength = BodyLength.Untold;
        _isPost = false;
        _isGrpc = false;
        _hasScheme = false;
        _hasMethod = false;
        Path = "";
        IsMalformed = false;
    }

    public void Add(HeaderField field)
    {
        _fields++;
        if (!field.IsWellFormed)
        {
            IsMalformed = true;
            return;
        }

        if (field.IsPseudo)
        {
            AddPseudo(field);
            return;
        }

        _hasRegular = true;
        switch (field.Kind)
        {
            case HeaderKind.ContentType:
                _isGrpc = IsGrpc(field.Value);
                break;
            case HeaderKind.ContentLength:
                IsMalformed |= !BodyLength.TryTell(ref _contentLength, field.Number);
                break;
        }

        if (_fields <= MaxFields)
        {
            _headers?.Add(field);
        }
    }

    /// <summary>Null for a gRPC call; otherwise the HTTP status that says what is wrong with the request.</summary>
    public string? Refusal()
    {
        IsMalformed |= Path.Length == 0 || !_hasScheme || !_hasMethod;
        return !_isPost ? "405" : !_isGrpc ? "415" : null;
    }

    private void AddPseudo(HeaderField field)
    {
        IsMalformed |= _hasRegular;
        switch (field.Name)
        {
            case ":path":
                IsMalformed |= _hasPath;
                _hasPath = true;
                Path = field.Value;
                break;
            case ":method":
                IsMalformed |= _hasMethod;
                _hasMethod = true;
                _isPost = field.Value == "POST";
                break;
            case ":scheme":
                IsMalformed |= _hasScheme;
                _hasScheme = true;
                break;
            case ":authority":
                IsMalformed |= _hasAuthority;
                _hasAuthority = true;
                break;
            default:
                IsMalformed = true;
                break;
        }
    }

    private static bool IsGrpc(string type) =>
        type.StartsWith(GrpcContentType, StringComparison.OrdinalIgnoreCase)
        && (type.Length == GrpcContentType.Length || type[GrpcContentType.Length] is '+' or ';');
}
