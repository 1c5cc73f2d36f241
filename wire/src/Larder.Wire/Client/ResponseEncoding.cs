using System.Net.Http;
using System.Net.Http.Headers;

namespace Larder.Wire;

/// <summary>Checks the encoding that an answer with a compressed message names.</summary>
internal static class ResponseEncoding
{
    /// <exception cref="RpcException">It is not gzip.</exception>
    public static void CheckGzip(HttpResponseMessage response)
    {
        string? encoding = response.Headers.NonValidated.TryGetValues("grpc-encoding", out HeaderStringValues value) ? value.ToString() : null;
        if (encoding != MessageEncoding.Gzip)
        {
            throw new RpcException(new Status(StatusCode.Internal, $"The answer is compressed with '{encoding}', which was not asked for."));
        }
    }
}
