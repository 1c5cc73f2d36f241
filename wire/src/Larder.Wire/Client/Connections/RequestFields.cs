using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>The fields of every request on a connection.</summary>
internal sealed class RequestFields(Uri endpoint, bool acceptGzip)
{
    public const string Timeout = "grpc-timeout";

    private readonly string _authority = AuthorityOf(endpoint);

    /// <summary>Writes a request's fields, in the order that gRPC's specification gives; the timeout follows them.</summary>
    public void Write(HpackEncoder encoder, PooledBuffer destination, string path, RpcHeaders headers)
    {
        encoder.Write(destination, ":method", "POST");
        encoder.Write(destination, ":scheme", endpoint.Scheme);
        encoder.Write(destination, ":authority", _authority);
        encoder.Write(destination, ":path", path);
        encoder.Write(destination, "te", "trailers");
        encoder.Write(destination, "content-type", "application/grpc");
        if (acceptGzip)
        {
            encoder.Write(destination, "grpc-accept-encoding", MessageEncoding.Accepted);
        }

        // The token is among them and is indexed too, as every gRPC library does: it repeats with each call, the table is the connection's own, and nobody but
        // its owner adds fields to it whose lengths could betray it.
        foreach (KeyValuePair<string, string> entry in headers.Entries)
        {
            encoder.Write(destination, entry.Key, entry.Value);
        }
    }

    // A name beyond ASCII travels in its encoded form; an IPv6 address in its brackets.
    private static string AuthorityOf(Uri endpoint) => endpoint.HostNameType switch
    {
        UriHostNameType.IPv6 => endpoint.Authority,
        _ when endpoint.IsDefaultPort => endpoint.IdnHost,
        _ => $"{endpoint.IdnHost}:{endpoint.Port}",
    };
}
