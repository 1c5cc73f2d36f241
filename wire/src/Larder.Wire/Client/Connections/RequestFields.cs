using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>The header fields of every request on a connection.</summary>
internal sealed class RequestFields(Uri endpoint, bool acceptGzip)
{
    public const string Timeout = "grpc-timeout";

    private readonly string _authority = AuthorityOf(endpoint);

    /// <summary>Writes the fields of a request in the order of the gRPC specification. The timeout is written after these fields.</summary>
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

        // The metadata includes the token. The token is also indexed, as in every gRPC library, because each call repeats the token. This does not expose the
        // token to an attack that compares compressed sizes, because the table belongs to this connection, and only the owner of the connection adds fields to
        // the table.
        foreach (KeyValuePair<string, string> entry in headers.Entries)
        {
            encoder.Write(destination, entry.Key, entry.Value);
        }
    }

    // An internationalized host name is sent in its encoded form, and an IPv6 address is sent in brackets.
    private static string AuthorityOf(Uri endpoint) => endpoint.HostNameType switch
    {
        UriHostNameType.IPv6 => endpoint.Authority,
        _ when endpoint.IsDefaultPort => endpoint.IdnHost,
        _ => $"{endpoint.IdnHost}:{endpoint.Port}",
    };
}
