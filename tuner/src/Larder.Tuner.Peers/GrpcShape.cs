using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using Google.Protobuf;

namespace Larder.Tuner.Peers;

/// <summary>
/// The parts that all requests of an RPC have in common: address, version and headers. They are created once, and each call adds its message.
/// </summary>
internal sealed class GrpcShape(Uri address, string cache, TimeSpan timeout)
{
    /// <summary>The size of the prefix of each message: one flag byte and a length of four bytes.</summary>
    private const int PrefixBytes = 5;

    private static readonly MediaTypeHeaderValue s_grpc = new("application/grpc");
    private static readonly TransferCodingWithQualityHeaderValue s_trailers = new("trailers");
    private readonly string _timeout = string.Create(CultureInfo.InvariantCulture, $"{timeout.TotalMilliseconds:F0}m");

    /// <summary>Sends a request message and reads the response message.</summary>
    /// <exception cref="GrpcStatusException">The server returned a status other than 0.</exception>
    public async Task<TResponse> CallAsync<TResponse>(HttpClient http, IMessage message, MessageParser<TResponse> parser)
        where TResponse : IMessage<TResponse>
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, address)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(Frame(message)) { Headers = { ContentType = s_grpc } },
        };
        request.Headers.TE.Add(s_trailers);
        request.Headers.Add("cache", cache);
        request.Headers.Add("grpc-timeout", _timeout);
        using HttpResponseMessage response = await http.SendAsync(request).ConfigureAwait(false);
        byte[] body = await response.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
        Check(response);
        return parser.ParseFrom(body, PrefixBytes, body.Length - PrefixBytes);
    }

    private static byte[] Frame(IMessage message)
    {
        int size = message.CalculateSize();
        byte[] frame = new byte[PrefixBytes + size];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), size);
        message.WriteTo(frame.AsSpan(PrefixBytes));
        return frame;
    }

    /// <summary>Throws if the status is not 0. The status is in the trailers, or in the headers if there is no body.</summary>
    private static void Check(HttpResponseMessage response)
    {
        string? status = First(response.TrailingHeaders, "grpc-status") ?? First(response.Headers, "grpc-status");
        if (status != "0")
        {
            throw new GrpcStatusException(status ?? "missing", First(response.TrailingHeaders, "grpc-message") ?? First(response.Headers, "grpc-message"));
        }
    }

    private static string? First(HttpResponseHeaders headers, string name) =>
        headers.TryGetValues(name, out IEnumerable<string>? values) ? values.First() : null;
}
