using System.Text.RegularExpressions;
using Larder.Client.Tests.Support;
using Larder.Examples.Programs;
using Larder.Harness;

namespace Larder.Client.Tests.Guides;

/// <summary>Tests that the ten programs return the results that the guide describes, and that the guide contains the programs.</summary>
public sealed partial class ProgramsTests
{
    private const string Folder = "clients/dotnet/examples/Programs";
    private const string Page = "docs/guides/dotnet-programs.md";

    /// <summary>The programs, each with a pattern of the lines that it returns.</summary>
    private static readonly Dictionary<string, (Func<string, Task<string[]>> Run, string Printed)> s_programs = new()
    {
        [nameof(ProductPage)] = (ProductPage.RunAsync, "100 pages, 1 load: <h1>Pencil</h1> 1[.]20 €\nCanceled"),
        [nameof(Sessions)] = (Sessions.RunAsync, "Ada\nguest\nguest [(]Unavailable[)]"),
        [nameof(RateLimit)] = (RateLimit.RunAsync, "5 of 8 pass\nretry within a minute: True\nwithout a cache: 00:00:00"),
        [nameof(ShoppingCart)] = (ShoppingCart.RunAsync, "pencil: 3\n0 products"),
        [nameof(Leaderboard)] = (Leaderboard.RunAsync, "130\nbo: 130\nann: 120\ncy: 3\nnobody: no place"),
        [nameof(JobQueue)] = (JobQueue.RunAsync, "backup after 1\nmail after 1\nreport after 2"),
        [nameof(NearPrices)] = (NearPrices.RunAsync, "1[.]20, [1-9][0-9]* hits\n1[.]30\n1[.]40"),
        [nameof(OptimisticUpdate)] = (OptimisticUpdate.RunAsync, "4 joined: Ada Barbara Edsger Grace\none: Stored\ntwo: NotStored\nthree: NotStored"),
        [nameof(UserBatch)] = (
            UserBatch.RunAsync,
            "2 stored\nuser:1: Ada\nuser:2: Grace\nuser:3: Miss\nAda [(]Hit[)]\nGrace [(]Hit[)]\nname of user:3 [(]Created[)]"),
        [nameof(LiveOrders)] = (LiveOrders.RunAsync, "two pencils\npaper"),
    };

    public static TheoryData<string> Names => [.. s_programs.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Program_output_matches_the_documented_lines(string name)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string[] lines = await s_programs[name].Run($"http://127.0.0.1:{server.Port}").WaitAsync(Eventually.Limit);
        Assert.Matches($"^{s_programs[name].Printed}$", string.Join('\n', lines));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Guide_contains_each_program_and_no_program_exceeds_45_lines(string name)
    {
        string program = Checkout.Read($"{Folder}/{name}.cs");
        Assert.InRange(program.Count(letter => letter == '\n'), 1, 45);
        Assert.Contains($"```csharp\n{program}```", Checkout.Read(Page), StringComparison.Ordinal);
    }

    [Fact]
    public void Guide_lists_every_program_in_the_folder()
    {
        IEnumerable<string> files = Directory.EnumerateFiles(Checkout.At(Folder), "*.cs").Select(file => Path.GetFileName(file));
        Assert.Equal(files.Order(), Row().Matches(Checkout.Read(Page)).Select(row => row.Groups[1].Value).Order());
        Assert.Equal(s_programs.Keys.Select(name => $"{name}.cs").Order(), files.Order());
    }

    [GeneratedRegex(@"^\|.*\| `(\w+\.cs)` \|$", RegexOptions.Multiline)]
    private static partial Regex Row();
}
