using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>The headers and trailers of a response as received, and the status that they contain. Reused by consecutive calls.</summary>
internal sealed class ResponseHead : IHeaderSink
{
    private readonly List<HeaderField> _fields = [];
    private int _headers;
    private int _contentLength = BodyLength.Unannounced;
    private long _body;
    private bool _hasRegular;
    private bool _isMalformed;

    /// <summary>Gets whether a header block with a final status has arrived.</summary>
    public bool HasHeaders { get; private set; }

    /// <summary>Gets the value of <c>grpc-encoding</c>, or null if it is missing.</summary>
    public string? Encoding => Find(HeaderKind.GrpcEncoding, 0, _headers)?.Value;

    /// <summary>Returns the value of the first header with this name, or null if there is none.</summary>
    public string? FindHeader(string name)
    {
        for (int index = 0; index < _headers; index++)
        {
            if (_fields[index].Name == name)
            {
                return _fields[index].Value;
            }
        }

        return null;
    }

    public void Add(HeaderField field)
    {
        _fields.Add(field);
        if (!field.IsPseudo)
        {
            _hasRegular = true;
            _isMalformed |= !field.IsWellFormed;
            if (field.Kind == HeaderKind.ContentLength && !HasHeaders)
            {
                _isMalformed |= !BodyLength.TryAnnounce(ref _contentLength, field.Number);
            }

            return;
        }

        // The only pseudo-header of a response is the status, which must be the first field. Trailers have no pseudo-headers (RFC 9113, section 8.3).
        _isMalformed |= field.Kind != HeaderKind.HttpStatus || !field.IsWellFormed || _hasRegular || HasHeaders || _fields.Count > 1;
    }

    /// <summary>Ends a block. Returns false if RFC 9113, section 8.1 does not allow the block at this point.</summary>
    public bool TryEndBlock(bool endsStream)
    {
        _hasRegular = false;
        if (_isMalformed)
        {
            return false;
        }

        if (HasHeaders)
        {
            // The second block contains the trailers and must be the last block.
            return endsStream;
        }

        int status = Find(HeaderKind.HttpStatus, 0, _fields.Count)?.Number ?? 0;
        if (status is >= 100 and < 200 && !endsStream)
        {
            _fields.Clear();
            _contentLength = BodyLength.Unannounced;
            return true;
        }

        _headers = _fields.Count;
        HasHeaders = true;
        return status >= 200;
    }

    /// <summary>Counts bytes of the body. Returns false if the bytes do not match the declared length.</summary>
    public bool TryCountBody(int bytes, bool isEnd)
    {
        _body += bytes;
        return BodyLength.IsKept(_contentLength, _body, isEnd);
    }

    public void Clear()
    {
        _fields.Clear();
        _contentLength = BodyLength.Unannounced;
        _body = 0;
        _headers = 0;
        HasHeaders = false;
        _hasRegular = false;
        _isMalformed = false;
    }

    /// <summary>Throws unless the response is gRPC and its headers contain no error.</summary>
    /// <exception cref="RpcException">The response is not gRPC, or its headers contain an error.</exception>
    public void CheckHeaders()
    {
        int http = Find(HeaderKind.HttpStatus, 0, _headers)?.Number ?? 0;
        HeaderField? type = Find(HeaderKind.ContentType, 0, _headers);
        if (http != 200 || type is not { Number: 1 })
        {
            throw new RpcException(TransportFailure.FromHttp(http, type?.Value));
        }

        if (Find(HeaderKind.GrpcStatus, 0, _headers) is { } status)
        {
            Check(status, 0, _headers);
        }
    }

    /// <summary>
    /// Throws unless the status in the trailers is OK. In a response without trailers, checks the status in the headers. Call this method after the stream has
    /// ended.
    /// </summary>
    /// <exception cref="RpcException">The status is missing or not OK.</exception>
    public void CheckTrailers()
    {
        if (Find(HeaderKind.GrpcStatus, _headers, _fields.Count) is { } status)
        {
            Check(status, _headers, _fields.Count);
        }
        else if (Find(HeaderKind.GrpcStatus, 0, _headers) is null)
        {
            throw new RpcException(new Status(StatusCode.Internal, "The response ended without grpc-status."));
        }
    }

    private HeaderField? Find(HeaderKind kind, int from, int to)
    {
        for (int index = from; index < to; index++)
        {
            if (_fields[index].Kind == kind)
            {
                return _fields[index];
            }
        }

        return null;
    }

    private void Check(HeaderField status, int from, int to)
    {
        if (status.Number != (int)StatusCode.Ok)
        {
            throw Failure((StatusCode)status.Number, from, to);
        }
    }

    private RpcException Failure(StatusCode code, int from, int to)
    {
        List<KeyValuePair<string, string>> trailers = [];
        foreach (HeaderField field in _fields[from..to])
        {
            if (field.Kind is HeaderKind.Other or HeaderKind.GrpcEncoding)
            {
                trailers.Add(new(field.Name, field.Value));
            }
        }

        string message = Find(HeaderKind.GrpcMessage, from, to) is { } text ? StatusMessage.Decode(text.Value) : "";
        return new RpcException(new Status(code, message), trailers);
    }
}
