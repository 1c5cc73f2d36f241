using System.Buffers;
using Google.Protobuf;
using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Tests.Calls;

/// <summary>Runs calls against its own store. Requests and responses are generated messages, which verifies the hand-written codecs.</summary>
internal sealed class CallHarness : IDisposable
{
    public const int MaxItemBytes = 1_000;
    public const ulong MaxTtlMs = 60_000;

    private readonly RefusedPages _pages = new();
    private readonly CacheStore _store;

    public CallHarness()
    {
        _store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = 16 << 20, MaxItemBytes = MaxItemBytes }, poisonFreedMemory: false, _pages);
        _store.CreateCache("c");
        Target = new CallTarget(_store.Find("c")!, new CallRules(MaxItemBytes, TimeSpan.FromMilliseconds(MaxTtlMs)));
    }

    public CallTarget Target { get; }

    /// <summary>Makes every later page allocation of the store fail, as if the operating system refused the memory.</summary>
    public void RefuseMemory() => _pages.Refuse = true;

    public static ByteString Bytes(string text) => ByteString.CopyFromUtf8(text);

    public TResponse Run<TResponse>(CacheCallHandler call, IMessage request)
        where TResponse : IMessage<TResponse>, new()
    {
        ArrayBufferWriter<byte> response = new();
        Assert.Null(call(Target, request.ToByteArray(), response));
        TResponse message = new();
        message.MergeFrom(response.WrittenSpan);
        return message;
    }

    public CallError Fail(CacheCallHandler call, IMessage request) => Fail(call, request.ToByteArray());

    public CallError Fail(CacheCallHandler call, byte[] request)
    {
        ArrayBufferWriter<byte> response = new();
        CallError? error = call(Target, request, response);
        Assert.NotNull(error);
        Assert.Equal(0, response.WrittenCount);
        return error;
    }

    public void Set(string key, string value) =>
        Target.Cache.Set(System.Text.Encoding.UTF8.GetBytes(key), System.Text.Encoding.UTF8.GetBytes(value), (long)MaxTtlMs);

    public void Dispose()
    {
        _store.AssertValid();
        _store.Dispose();
    }

    private sealed unsafe class RefusedPages : PageSource
    {
        public bool Refuse { get; set; }

        public override byte* Map(long bytes) => Refuse ? null : base.Map(bytes);
    }
}
