using System.Buffers;

namespace Larder.Client.Tests;

public sealed class CacheBytesTests
{
    [Fact]
    public void Memory_that_is_over_no_array_is_copied_so_that_its_owner_may_go()
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
