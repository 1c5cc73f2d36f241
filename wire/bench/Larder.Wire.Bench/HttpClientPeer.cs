using System.Buffers.Binary;
using System.Net;
using System.Net.Http.Headers;
using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Wire.Bench;

/// <summary>
/// The baseline peer. It makes each request with a plain HttpClient call, as in a simple first implementation. Addresses are cached, message classes are
/// generated, and multiple HTTP/2 connections are enabled.
/// </summary>
internal sealed class HttpClientPeer : IPeer
{
    private static readonly MediaTypeHeaderValue ContentType = new("application/grpc");

    private readonly HttpClient _client = new(new SocketsHttpHandler { EnableMultipleHttp2Connections = true });
    private readonly Uri _get;
    private readonly Uri _set;

    public HttpClientPeer(Uri endpoint)
    {
        _get = new Uri(endpoint, BenchServer.GetPath);
        _set = new Uri(endpoint, BenchServer.SetPath);
    }

    public string Name => "HttpClient";

    public async ValueTask CallAsync(int caller, int number)
    {
        if (Workload.IsGet(number))
        {
            GetResponse response = await SendAsync(_get, Workload.Get(number), GetResponse.Parser);
            Workload.Check(response.Value.Length == BenchServer.ValueBytes);
        }
        else
        {
            SetResponse response = await SendAsync(_set, Workload.Set(number), SetResponse.Parser);
            Workload.Check(response.Result == CacheResult.Ok);
        }
    }

    public ValueTask DisposeAsync()
    {
        _client.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<T> SendAsync<T>(Uri address, IMessage message, MessageParser<T> parser)
        where T : IMessage<T>
    {
        using CancellationTokenSource deadline = new(Workload.Timeout);
        using HttpRequestMessage request = new(HttpMethod.Post, address)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(Frame(message)),
        };
        request.Content.Headers.ContentType = ContentType;
        request.Headers.Add("te", "trailers");
        request.Headers.Add("cache", "cache");
        request.Headers.Add("authorization", "token");
        request.Headers.Add("grpc-timeout", "5000m");
        using HttpResponseMessage response = await _client.SendAsync(request, deadline.Token);
        byte[] body = await response.Content.ReadAsByteArrayAsync(deadline.Token);
        Workload.Check(response.TrailingHeaders.GetValues("grpc-status").Single() == "0");
        return parser.ParseFrom(body, 5, body.Length - 5);
    }

    private static byte[] Frame(IMessage message)
    {
        byte[] frame = new byte[5 + message.CalculateSize()];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), frame.Length - 5);
        message.WriteTo(frame.AsSpan(5));
        return frame;
    }
}
