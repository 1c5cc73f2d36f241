namespace Larder.Wire.Tests.Buffers;

public sealed class SlabPoolTests
{
    private const int MaxQuietTrims = 10;
    private readonly SlabPool _pool = new();

    [Fact]
    public void One_slab_serves_any_number_of_successive_blocks()
    {
        for (int n = 0; n < 10 * Slab.Pages; n++)
        {
            _pool.Give(_pool.Take(1 + (n % Slab.Pages)));
        }

        Assert.Equal(1, _pool.Slabs);
    }

    [Fact]
    public void Empty_slab_is_released_without_trimming()
    {
        ArraySegment<byte> first = _pool.Take(Slab.Pages);
        ArraySegment<byte> second = _pool.Take(Slab.Pages);
        Assert.Equal(2, _pool.Slabs);
        _pool.Give(first);
        Assert.Equal(2, _pool.Slabs);
        _pool.Give(second);
        Assert.Equal(1, _pool.Slabs);
    }

    [Fact]
    public void Trim_keeps_reused_slabs_and_releases_idle_ones()
    {
        _pool.Trim();
        TakeTwoSlabsAndGiveThemBack();
        for (int trim = 0; trim < MaxQuietTrims; trim++)
        {
            _pool.Give(_pool.Take(1));
            _pool.Trim();
        }

        Assert.Equal(2, _pool.Slabs);
        TrimUntilQuiet();
        Assert.Equal(1, _pool.Slabs);
    }

    [Fact]
    public void Trim_releases_slabs_returned_during_idle_period()
    {
        ArraySegment<byte> first = _pool.Take(Slab.Pages);
        ArraySegment<byte> second = _pool.Take(Slab.Pages);
        TrimUntilQuiet();
        _pool.Give(second);
        _pool.Give(first);
        Assert.Equal(2, _pool.Slabs);
        _pool.Trim();
        Assert.Equal(1, _pool.Slabs);
    }

    private void TakeTwoSlabsAndGiveThemBack()
    {
        ArraySegment<byte> first = _pool.Take(Slab.Pages);
        _pool.Give(_pool.Take(Slab.Pages));
        _pool.Give(first);
    }

    private void TrimUntilQuiet()
    {
        for (int trim = 0; trim < MaxQuietTrims; trim++)
        {
            _pool.Trim();
        }
    }
}
