using System.Buffers.Binary;
using System.Net;
using Google.Protobuf;

namespace Larder.Wire.Tests;

/// <summary>A call that is sent directly over HTTP, so that it can violate rules that a channel follows.</summary>
internal sealed class RawCall : IDisposable
{
    private readonly HttpClient _client = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = TestCalls.Patience };

    /// <summary>The response.</summary>
    public sealed record Answer(HttpStatusCode Http, string? Status, string? Message, bool IsTrailersOnly, byte[] Body, string? AcceptEncoding, string? Cause);

    public static byte[] Frame(IMessage message) => Frame(message.ToByteArray(), isCompressed: false);

    public static byte[] Frame(byte[] message, bool isCompressed)
    {
        byte[] frame = new byte[FrameHeader.Size + message.Length];
        frame[0] = isCompressed ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), message.Length);
        message.CopyTo(frame, FrameHeader.Size);
        return frame;
    }

    public async Task<Answer> PostAsync(
        Uri endpoint,
        string path,
        byte[] body,
        string contentType = "application/grpc",
        params (string Name, string Value)[] headers)
    {
        using HttpRequestMessage request = new(HttpMethod.Post, new Uri(endpoint, path))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(body),
        };
        request.Content.Headers.TryAddWithoutValidation("content-type", contentType);
        foreach ((string name, string value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        using HttpResponseMessage response = await _client.SendAsync(request);
        byte[] answer = await response.Content.ReadAsByteArrayAsync();
        bool isTrailersOnly = response.Headers.Contains("grpc-status");
        return new Answer(
            response.StatusCode,
            Find(response, "grpc-status"),
            Find(response, "grpc-message"),
            isTrailersOnly,
            answer,
            Find(response, "grpc-accept-encoding"),
            Find(response, "err"));
    }

    public void Dispose() => _client.Dispose();

    private static string? Find(HttpResponseMessage response, string name) =>
        response.Headers.TryGetValues(name, out IEnumerable<string>? values) || response.TrailingHeaders.TryGetValues(name, out values)
            ? string.Join(",", values)
            : null;
}
