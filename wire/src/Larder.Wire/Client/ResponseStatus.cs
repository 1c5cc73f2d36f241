using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;

namespace Larder.Wire;

/// <summary>Reads how a call ended from an answer's headers and trailers.</summary>
internal static class ResponseStatus
{
    private const string StatusHeader = "grpc-status";
    private const string MessageHeader = "grpc-message";

    /// <summary>Throws unless the answer is gRPC and has not failed in its headers.</summary>
    /// <exception cref="RpcException">It is not, or it has.</exception>
    public static void CheckHeaders(HttpResponseMessage response)
    {
        if (response.StatusCode != HttpStatusCode.OK || !IsGrpc(response.Content.Headers))
        {
            throw new RpcException(TransportFailure.FromHttp(response.StatusCode, response.Content.Headers.NonValidated.TryGetValues("content-type", out HeaderStringValues type) ? type.ToString() : null));
        }

        if (response.Headers.NonValidated.TryGetValues(StatusHeader, out HeaderStringValues status))
        {
            Check(response.Headers, status.ToString());
        }
    }

    /// <summary>Throws unless the answer's trailers say OK. The body has been read to its end.</summary>
    /// <exception cref="RpcException">They say otherwise, or nothing.</exception>
    public static void CheckTrailers(HttpResponseMessage response)
    {
        if (response.TrailingHeaders.NonValidated.TryGetValues(StatusHeader, out HeaderStringValues status))
        {
            Check(response.TrailingHeaders, status.ToString());
        }
        else if (!response.Headers.NonValidated.Contains(StatusHeader))
        {
            throw new RpcException(new Status(StatusCode.Internal, "The answer ended without grpc-status."));
        }
    }

    private static bool IsGrpc(HttpContentHeaders headers) =>
        headers.NonValidated.TryGetValues("content-type", out HeaderStringValues type)
        && type.ToString().StartsWith("application/grpc", StringComparison.OrdinalIgnoreCase);

    private static void Check(HttpResponseHeaders headers, string status)
    {
        StatusCode code = StatusText.Parse(status);
        if (code != StatusCode.Ok)
        {
            throw Failure(headers, code);
        }
    }

    private static RpcException Failure(HttpResponseHeaders headers, StatusCode code)
    {
        List<KeyValuePair<string, string>> trailers = [];
        string message = "";
        foreach (KeyValuePair<string, HeaderStringValues> header in headers.NonValidated)
        {
            if (header.Key.Equals(MessageHeader, StringComparison.OrdinalIgnoreCase))
            {
                message = StatusMessage.Decode(header.Value.ToString());
            }
            else if (!header.Key.Equals(StatusHeader, StringComparison.OrdinalIgnoreCase))
            {
                trailers.Add(new(header.Key.ToLowerInvariant(), header.Value.ToString()));
            }
        }

        return new RpcException(new Status(code, message), trailers);
    }
}
