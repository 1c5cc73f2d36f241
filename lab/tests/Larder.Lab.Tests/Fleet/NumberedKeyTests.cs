using Larder.Lab.Fleet;

namespace Larder.Lab.Tests.Fleet;

public sealed class NumberedKeyTests
{
    private readonly NumberedKey _key = new("k");

    [Fact]
    public void Read_of_last_stored_value_is_right()
    {
        Assert.Equal(ReadVerdict.Right, _key.OnRead(null));
        Assert.Equal("k 1", _key.Next());
        _key.OnStored();
        Assert.Equal(ReadVerdict.Right, _key.OnRead("k 1"));
    }

    [Fact]
    public void Failed_write_may_appear_once()
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
    public void Missing_stored_write_is_lost_once_and_stale_later(string? older)
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
    public void Value_of_another_key_or_unknown_value_is_crossed(string value)
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
