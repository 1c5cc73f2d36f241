using System.Text;
using Larder.Cli;

namespace Larder.Client.Tests.Cli;

public sealed class TerminalTextTests
{
    [Theory]
    [InlineData("größe 😀\n\t.", "größe 😀\n\t.")]
    [InlineData("\e]0;title\a", @"\x1b]0;title\x07")]
    [InlineData("a\rb", @"a\rb")]
    [InlineData("\u009b31m", @"\u{9b}31m")]
    [InlineData("ab\u202edc", @"ab\u{202e}dc")]
    [InlineData("\u200b\u2028", @"\u{200b}\u{2028}")]
    [InlineData(@"C:\x", @"C:\x")]
    public void OfValue_escapes_terminal_control_characters(string value, string shown) =>
        Assert.Equal(shown, TerminalText.OfValue(Encoding.UTF8.GetBytes(value)));

    [Fact]
    public void OfKey_escapes_line_breaks_and_backslashes() =>
        Assert.Equal(@"a\nb\\n\xff", TerminalText.OfKey([(byte)'a', (byte)'\n', (byte)'b', (byte)'\\', (byte)'n', 0xff]));
}
