using System.Net.Http;

namespace Larder.Wire;

/// <summary>Converts transport failures to gRPC status codes, and determines whether the server may have processed the call.</summary>
internal static class TransportFailure
{
    // RFC 9113, section 7: error codes of RST_STREAM and GOAWAY.
    private const long RefusedStream = 7;
    private const long Cancel = 8;
    private const long EnhanceYourCalm = 11;
    private const long InadequateSecurity = 12;

    /// <summary>Converts an exception of the HTTP stack to the exception that the caller gets.</summary>
    public static RpcException From(Exception error)
    {
        if (Find<ProtocolMismatchException>(error) is { } mismatch)
        {
            return new RpcException(new Status(StatusCode.Unavailable, mismatch.Message), notProcessed: true, mismatch);
        }

        if (Find<HttpProtocolException>(error) is { } protocolError)
        {
            return FromReset(protocolError, error);
        }

        return error is HttpRequestException request
            ? new RpcException(new Status(StatusCode.Unavailable, Describe(request)), NeverConnected(request), error)
            : new RpcException(new Status(StatusCode.Unavailable, $"The connection was lost: {error.Message}"), notProcessed: false, error);
    }

    /// <summary>Returns the status for a response that is plain HTTP and not gRPC, for example from a proxy between client and server.</summary>
    public static Status FromHttp(int code, string? contentType)
    {
        StatusCode status = code switch
        {
            400 => StatusCode.Internal,
            401 => StatusCode.Unauthenticated,
            403 => StatusCode.PermissionDenied,
            404 => StatusCode.Unimplemented,
            429 or 502 or 503 or 504 => StatusCode.Unavailable,
            _ => StatusCode.Unknown,
        };
        return new Status(status, $"Expected a gRPC response, got HTTP {code} with content type '{contentType}'.");
    }

    private static T? Find<T>(Exception? error)
        where T : Exception
    {
        for (; error is not null; error = error.InnerException)
        {
            if (error is T found)
            {
                return found;
            }
        }

        return null;
    }

    private static RpcException FromReset(HttpProtocolException reset, Exception error)
    {
        StatusCode code = reset.ErrorCode switch
        {
            RefusedStream => StatusCode.Unavailable,
            Cancel => StatusCode.Cancelled,
            EnhanceYourCalm => StatusCode.ResourceExhausted,
            InadequateSecurity => StatusCode.PermissionDenied,
            _ => StatusCode.Internal,
        };
        return new RpcException(new Status(code, $"The stream was reset: {reset.Message}"), reset.ErrorCode == RefusedStream, error);
    }

    private static bool NeverConnected(HttpRequestException error) => error.HttpRequestError is
        HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError
        or HttpRequestError.ProxyTunnelError or HttpRequestError.VersionNegotiationError;

    // The message of the connector's exception already contains the message of its cause.
    private static string Describe(HttpRequestException error) =>
        error.InnerException is { } inner && !error.Message.Contains(inner.Message, StringComparison.Ordinal)
            ? $"{error.Message} {inner.Message}"
            : error.Message;
}
