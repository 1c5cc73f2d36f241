using Larder.Lab.Fleet;

namespace Larder.Lab.Tests.Fleet;

public sealed class NumberedKeyTests
{
    private readonly NumberedKey _key = new("k");

    [Fact]
    public void OnRead_returns_Right_for_last_stored_value()
    {
        Assert.Equal(ReadVerdict.Right, _key.OnRead(null));
        Assert.Equal("k 1", _key.Next());
        _key.OnStored();
        Assert.Equal(ReadVerdict.Right, _key.OnRead("k 1"));
    }

    [Fact]
    public void OnRead_returns_Lost_for_value_older_than_last_read_value()
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
    public void OnRead_returns_Lost_once_then_Stale_if_lost_value_reappears(string? older)
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
    public void OnRead_returns_Crossed_for_unknown_value_or_another_keys_value(string value)
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
