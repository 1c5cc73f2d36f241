namespace Larder.Wire.Tests.Buffers;

public sealed class SlabPoolTests
{
    private const int MostQuietTrims = 10;
    private readonly SlabPool _pool = new();

    [Fact]
    public void One_slab_serves_any_number_of_blocks_one_after_another()
    {
        for (int n = 0; n < 10 * Slab.Pages; n++)
        {
            _pool.Give(_pool.Take(1 + (n % Slab.Pages)));
        }

        Assert.Equal(1, _pool.Slabs);
    }

    [Fact]
    public void A_slab_that_no_clock_trims_is_let_go_as_soon_as_it_is_empty_unless_it_is_the_first()
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
    public void Where_a_clock_trims_empty_slabs_are_kept_while_somebody_asks_and_let_go_when_nobody_does()
    {
        _pool.Trim();
        TakeTwoSlabsAndGiveThemBack();
        for (int trim = 0; trim < MostQuietTrims; trim++)
        {
            _pool.Give(_pool.Take(1));
            _pool.Trim();
        }

        Assert.Equal(2, _pool.Slabs);
        TrimUntilQuiet();
        Assert.Equal(1, _pool.Slabs);
    }

    [Fact]
    public void What_is_given_back_after_the_quiet_has_begun_is_let_go_too()
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
        for (int trim = 0; trim < MostQuietTrims; trim++)
        {
            _pool.Trim();
        }
    }
}
