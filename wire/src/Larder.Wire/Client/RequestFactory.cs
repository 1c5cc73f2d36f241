using System.Net;
using System.Net.Http;

namespace Larder.Wire;

/// <summary>Makes the HTTP request of a call.</summary>
internal static class RequestFactory
{
    public const string TimeoutHeader = "grpc-timeout";

    public static HttpRequestMessage Create(HttpContent content) => new(HttpMethod.Post, (Uri?)null)
    {
        Version = HttpVersion.Version20,
        VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        Content = content,
    };

    public static void SetHeaders(HttpRequestMessage request, RpcHeaders headers, string? timeout, bool acceptGzip)
    {
        request.Headers.Clear();
        request.Headers.TryAddWithoutValidation("te", "trailers");
        if (acceptGzip)
        {
            request.Headers.TryAddWithoutValidation("grpc-accept-encoding", MessageEncoding.Accepted);
        }

        foreach (KeyValuePair<string, string> entry in headers.Entries)
        {
            request.Headers.TryAddWithoutValidation(entry.Key, entry.Value);
        }

        if (timeout is not null)
        {
            request.Headers.TryAddWithoutValidation(TimeoutHeader, timeout);
        }
    }
}
