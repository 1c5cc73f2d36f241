using System.Buffers;

namespace Larder.Client.Tests;

public sealed class CacheBytesTests
{
    [Fact]
    public void CacheBytes_copies_memory_that_is_not_backed_by_an_array()
    {
        Owned owner = new([1, 2, 3, 4]);
        CacheBytes bytes = owner.Memory[1..3];
        ((IDisposable)owner).Dispose();
        Assert.Equal([2, 3], bytes.ToArray());
    }

    private sealed class Owned(byte[] bytes) : MemoryManager<byte>
    {
        private byte[]? _bytes = bytes;

        public override Span<byte> GetSpan() => _bytes ?? throw new ObjectDisposedException(nameof(Owned));

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing) => _bytes = null;
    }
}
