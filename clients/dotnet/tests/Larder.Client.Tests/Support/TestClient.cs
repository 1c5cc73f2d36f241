using Google.Protobuf;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Support;

/// <summary>A client with a manual clock and a fake transport.</summary>
internal sealed class TestClient : IAsyncDisposable
{
    public static readonly byte[] Stored = new Protocol.SetResponse { Result = Protocol.CacheResult.Ok }.ToByteArray();
    public static readonly byte[] Missed = new Protocol.GetResponse { Result = Protocol.CacheResult.Miss }.ToByteArray();

    public TestClient(Configuration configuration)
    {
        Client = new CacheClient(configuration, CredentialProvider.Local(), TimeSpan.FromMinutes(1), NullLogger.Instance, Time, _ => Transport);
        Cache = Client.Cache("cache");
    }

    public ManualTime Time { get; } = new();

    public FakeTransport Transport { get; } = new();

    public CacheClient Client { get; }

    public Cache Cache { get; }

    public static byte[] Found(string value) =>
        new Protocol.GetResponse { Result = Protocol.CacheResult.Hit, Value = ByteString.CopyFromUtf8(value) }.ToByteArray();

    public ValueTask DisposeAsync() => Client.DisposeAsync();
}
