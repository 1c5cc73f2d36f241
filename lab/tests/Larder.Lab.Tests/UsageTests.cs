using System.CommandLine;
using Larder.Lab.Ceiling;
using Larder.Lab.Neighbours;
using Larder.Lab.Soak;

namespace Larder.Lab.Tests;

public sealed class UsageTests
{
    [Theory]
    [InlineData("--transport cobol")]
    [InlineData("--rounds 0")]
    public async Task Floor_command_exits_with_2_if_an_option_is_invalid(string arguments) =>
        Assert.Equal(2, await FloorCommand.Create().Parse(arguments).InvokeAsync());

    [Fact]
    public async Task Neighbour_command_exits_with_2_if_an_option_is_invalid() =>
        Assert.Equal(2, await NeighbourCommand.Create().Parse("handshakes --handshakes 0").InvokeAsync());

    [Theory]
    [InlineData("--client cobol")]
    [InlineData("--transport cobol")]
    [InlineData("--configuration cobol")]
    [InlineData("--minutes 0.09")]
    [InlineData("--minutes 1441")]
    [InlineData("--minutes NaN")]
    [InlineData("--reset-every 0.04")]
    [InlineData("--reset-every 36000")]
    public async Task Soak_command_exits_with_2_if_an_option_is_invalid(string arguments) =>
        Assert.Equal(2, await SoakCommand.Create().Parse(arguments).InvokeAsync());
}
