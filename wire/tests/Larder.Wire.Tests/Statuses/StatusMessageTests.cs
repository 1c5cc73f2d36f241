using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Statuses;

public sealed class StatusMessageTests
{
    [Fact]
    public void Encode_produces_printable_ASCII_that_Decode_restores() => Prop.ForAll<string?>(text =>
    {
        // A lone surrogate is not valid text, because UTF-8 cannot encode it.
        string message = new((text ?? "").Where(c => !char.IsSurrogate(c)).ToArray());
        string encoded = StatusMessage.Encode(message);
        return encoded.All(c => c is >= ' ' and <= '~') && StatusMessage.Decode(encoded) == message;
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("100 %", "100 %25")]
    [InlineData("a\nb", "a%0Ab")]
    [InlineData("é", "%C3%A9")]
    [InlineData("🧀", "%F0%9F%A7%80")]
    public void Encode_and_Decode_follow_gRPC_specification(string message, string encoded)
    {
        Assert.Equal(encoded, StatusMessage.Encode(message));
        Assert.Equal(message, StatusMessage.Decode(encoded));
    }

    [Theory]
    [InlineData("50% off", "50% off")]
    [InlineData("%", "%")]
    [InlineData("%4", "%4")]
    [InlineData("%zz", "%zz")]
    [InlineData("%c3%a9", "é")]
    public void Decode_keeps_invalid_escapes_unchanged(string encoded, string message) => Assert.Equal(message, StatusMessage.Decode(encoded));

    [Fact]
    public void Plain_text_is_not_copied()
    {
        string message = new('x', 10);
        Assert.Same(message, StatusMessage.Encode(message));
        Assert.Same(message, StatusMessage.Decode(message));
    }
}
