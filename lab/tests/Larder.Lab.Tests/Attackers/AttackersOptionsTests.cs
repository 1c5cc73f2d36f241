using Larder.Harness.Processes;
using Larder.Lab.Attackers;

namespace Larder.Lab.Tests.Attackers;

public sealed class AttackersOptionsTests
{
    private static readonly AttackInfo[] s_known =
        [new("union-store", "", "Plaintext", null), new("key-updates", "", "Tls", "no library"), new("mix", "", "Plaintext", null)];

    [Theory]
    [InlineData("--minutes", "0")]
    [InlineData("--minutes", "1441")]
    [InlineData("--seconds", "0.4")]
    [InlineData("--seconds", "601")]
    [InlineData("--rate", "9")]
    [InlineData("--rate", "100001")]
    [InlineData("--nice", "-1")]
    [InlineData("--nice", "20")]
    [InlineData("--noise-limit", "0")]
    [InlineData("--noise-limit", "NaN")]
    [InlineData("--only", "no-such-attack")]
    public async Task Command_exits_with_2_when_option_is_invalid(string option, string value)
    {
        using ChildProcess tuner = LabProgram.Start("attackers", "--list", $"{option}={value}");
        Assert.Equal(2, await tuner.WaitForExitAsync());
        Assert.Contains(option == "--only" ? value : option, await tuner.WholeLogAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public void Choose_returns_every_attack_by_default() => Assert.Equal(s_known, new AttackersOptions().Choose(s_known));

    [Fact]
    public void Choose_returns_named_attacks_in_catalog_order() =>
        Assert.Equal([s_known[0], s_known[2]], new AttackersOptions { Only = ["mix", "union-store"] }.Choose(s_known));

    [Fact]
    public void Choose_rejects_unknown_name_and_lists_known_names()
    {
        FormatException wrong = Assert.Throws<FormatException>(() => new AttackersOptions { Only = ["mix", "other"] }.Choose(s_known));
        Assert.Contains("\"other\"; use union-store, key-updates, mix", wrong.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(10, 6, 1, 100)]
    [InlineData(10, 6, 20, 5)]
    [InlineData(0.01, 6, 20, 1)]
    [InlineData(10, 6, 0, 100)]
    public void Rounds_divides_minutes_among_attacks(double minutes, double seconds, int attacks, int rounds) =>
        Assert.Equal(rounds, new AttackersOptions { Minutes = minutes, Seconds = seconds }.Rounds(attacks));
}
