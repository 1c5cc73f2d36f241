using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>Receives the fields of a request's header block. Evaluates the fields that HTTP/2 requires, and passes the other fields to the call.</summary>
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
    private int _contentLength = BodyLength.Unannounced;

    /// <summary>
    /// The maximum number of fields in a call. gRPC clients send about ten, and each field costs time to decode and at every lookup. A call with more fields is
    /// rejected.
    /// </summary>
    public const int MaxFields = 128;

    /// <summary>Gets the path. It is empty until it has been read.</summary>
    public string Path { get; private set; } = "";

    /// <summary>Gets whether the block violates RFC 9113, section 8. The stream must then be reset.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>Gets the value of <c>content-length</c> in bytes, or -1 if it is missing.</summary>
    public int ContentLength => _contentLength;

    /// <summary>Gets the number of fields above <see cref="MaxFields"/>, which were discarded.</summary>
    public int FieldsTooMany => Math.Max(0, _fields - MaxFields);

    /// <summary>
    /// Begins the header block of a request. Its fields are added to <paramref name="headers"/>. If <paramref name="headers"/> is null, the fields are only
    /// decoded. This is used for refused streams.
    /// </summary>
    public void Begin(RpcRequestHeaders? headers) => Begin(headers, isTrailers: false);

    /// <summary>Begins a block of trailers, whose fields are ignored. Trailers must not contain pseudo-headers.</summary>
    public void BeginTrailers() => Begin(null, isTrailers: true);

    private void Begin(RpcRequestHeaders? headers, bool isTrailers)
    {
        _headers = headers;
        _hasRegular = isTrailers;
        _hasAuthority = false;
        _hasPath = false;
        _fields = 0;
        _contentLength = BodyLength.Unannounced;
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
                IsMalformed |= !BodyLength.TryAnnounce(ref _contentLength, field.Number);
                break;
        }

        if (_fields <= MaxFields)
        {
            _headers?.Add(field);
        }
    }

    /// <summary>Returns the HTTP status for the error in the request, or null if the request is a gRPC call.</summary>
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
