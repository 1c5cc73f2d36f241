using Larder.Lab.Fleet;

namespace Larder.Lab.Tests.Fleet;

public sealed class NumberedKeyTests
{
    private readonly NumberedKey _key = new("k");

    [Fact]
    public void What_was_answered_last_is_right_and_a_miss_before_the_first()
    {
        Assert.Equal(ReadVerdict.Right, _key.OnRead(null));
        Assert.Equal("k 1", _key.Next());
        _key.OnStored();
        Assert.Equal(ReadVerdict.Right, _key.OnRead("k 1"));
    }

    [Fact]
    public void A_write_that_failed_may_have_been_made_once()
    {
        Store();
        _key.Next();
        _key.OnFailed();
        Assert.Equal(ReadVerdict.Right, _key.OnRead("k 1"));
        Assert.Equal(ReadVerdict.Right, _key.OnRead("k 2"));
        Assert.Equal(ReadVerdict.Lost, _key.OnRead("k 1"));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("k 1")]
    public void An_answered_write_that_is_gone_is_lost_once_and_stale_when_it_is_back(string? older)
    {
        Store();
        Store();
        Assert.Equal(ReadVerdict.Lost, _key.OnRead(older));
        Assert.Equal(ReadVerdict.Right, _key.OnRead(older));
        Assert.Equal(ReadVerdict.Stale, _key.OnRead("k 2"));
    }

    [Theory]
    [InlineData("other 1")]
    [InlineData("k 2")]
    [InlineData("k")]
    [InlineData("")]
    [InlineData("k -1")]
    [InlineData("kk 1")]
    public void Another_keys_value_and_one_that_nobody_wrote_are_crossed(string value)
    {
        Store();
        Assert.Equal(ReadVerdict.Crossed, _key.OnRead(value));
    }

    private void Store()
    {
        _key.Next();
        _key.OnStored();
    }
}
