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

    /// <summary>The path; empty until it was seen.</summary>
    public string Path { get; private set; } = "";

    /// <summary>True where the block breaks a rule of RFC 9113, section 8: the stream is reset.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>Begins a block; its fields go to <paramref name="headers"/>, or nowhere: trailers and refused streams are only decoded.</summary>
    public void Begin(RpcRequestHeaders? headers)
    {
        _headers = headers;
        _hasRegular = false;
        _isPost = false;
        _isGrpc = false;
        _hasScheme = false;
        _hasMethod = false;
        Path = "";
        IsMalformed = false;
    }

    public void Add(HeaderField field)
    {
        string name = field.Name;
        if (name.Length > 0 && name[0] == ':')
        {
            AddPseudo(field);
            return;
        }

        _hasRegular = true;
        if (name.Length == 0 || name.AsSpan().ContainsAnyInRange('A', 'Z'))
        {
            IsMalformed = true;
            return;
        }

        if (name == "content-type")
        {
            _isGrpc = IsGrpc(field.Value);
        }

        _headers?.Add(field);
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
                IsMalformed |= Path.Length > 0;
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
