using Larder.Client;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests;

public sealed class ConfigurationCodeTests
{
    private static readonly (Recommendation Settings, string Measured)[] s_recommendations =
    [
        (new() { Base = "laptop", Transport = "pipeline", MaxInFlight = 8, Channels = 2, RequestTimeoutMs = 1_100 }, "pipeline"),
        (new() { Base = "inRegion.lowLatency", Transport = "unary", MaxInFlight = 21 }, "unary"),
        (new() { Base = "lambda", Transport = "auto", MaxInFlight = 34 }, "pipeline"),
    ];

    [Fact]
    public void Dotnet_code_matches_code_compiled_in_this_project()
    {
        string compiled = Flat(Checkout.Read("report/tests/Larder.Report.Tests/PastedConfiguration.cs"));
        foreach ((Recommendation? settings, string? measured) in s_recommendations)
        {
            string[] code = ConfigurationCode.Of("dotnet", settings, measured, "measured").Split('\n', 3);
            Assert.Equal("using Larder.Client;", code[0]);
            Assert.Contains(Flat(code[2]), compiled, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Dotnet_code_creates_recommended_client()
    {
        Configuration pipeline = await PastedConfiguration.PipelineAsync();
        Assert.Equal(
            (Transport.Pipeline, 8, 2, TimeSpan.FromMilliseconds(1_100)),
            (pipeline.Transport, pipeline.MaxInFlightPipeline, pipeline.Channels, pipeline.RequestTimeout));
        Assert.Equal(21, (await PastedConfiguration.UnaryAsync()).MaxInFlightUnary);
        Configuration auto = await PastedConfiguration.AutoAsync();
        Assert.Equal((Configurations.Lambda.V1().MaxInFlightUnary, 34), (auto.MaxInFlightUnary, auto.MaxInFlightPipeline));
    }

    [Fact]
    public async Task Python_code_runs_and_creates_recommended_client()
    {
        string code = string.Concat(
            s_recommendations.Select(one => ConfigurationCode.Of("python", one.Settings, one.Measured, "measured") + "print(configuration)\n"));
        string[] printed = (await RunAsync(Checkout.At("clients/python"), Checkout.At("tools/python"), "-c", code)).Split('\n');
        Assert.Contains("request_timeout_s=1.1, max_in_flight_unary=100, max_in_flight_pipeline=8,", printed[0], StringComparison.Ordinal);
        Assert.Contains("channels=2,", printed[0], StringComparison.Ordinal);
        Assert.Contains("Transport.PIPELINE", printed[0], StringComparison.Ordinal);
        Assert.Contains("max_in_flight_unary=21,", printed[1], StringComparison.Ordinal);
        Assert.Contains("max_in_flight_pipeline=34,", printed[2], StringComparison.Ordinal);
    }

    [NodeClientFact]
    public async Task Node_code_compiles_and_creates_recommended_client()
    {
        string client = Checkout.At("clients/node");
        DirectoryInfo folder = Directory.CreateDirectory(Path.Combine(client, "dist", $"pasted-{Guid.NewGuid():N}"));
        try
        {
            foreach (((Recommendation? settings, string? measured), int index) in s_recommendations.Select((one, index) => (one, index)))
            {
                await File.WriteAllTextAsync(
                    Path.Combine(folder.FullName, $"pasted{index}.mts"),
                    ConfigurationCode.Of("node", settings, measured, "measured") + "console.log(JSON.stringify(configuration));\nawait client.close();\n");
            }

            await RunAsync(
                client,
                "node",
                [
                    "node_modules/typescript/bin/tsc",
                    "--strict",
                    "--noUncheckedIndexedAccess",
                    "--exactOptionalPropertyTypes",
                    "--skipLibCheck",
                    "--module",
                    "nodenext",
                    "--target",
                    "es2022",
                    "--types",
                    "node",
                    .. Directory.GetFiles(folder.FullName, "*.mts"),
                ]);
            Assert.Contains(
                "\"requestTimeoutMs\":1100,\"maxInFlightUnary\":100,\"maxInFlightPipeline\":8,\"channels\":2",
                await RunAsync(client, "node", Path.Combine(folder.FullName, "pasted0.mjs")),
                StringComparison.Ordinal);
            Assert.Contains("\"maxInFlightUnary\":21", await RunAsync(client, "node", Path.Combine(folder.FullName, "pasted1.mjs")), StringComparison.Ordinal);
            Assert.Contains(
                "\"maxInFlightUnary\":50,\"maxInFlightPipeline\":34",
                await RunAsync(client, "node", Path.Combine(folder.FullName, "pasted2.mjs")),
                StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void External_text_stays_inside_code_comment(string language)
    {
        string hostile = "x\nimport os; os.system('x')\r\u2028process.exit()";
        string code = ConfigurationCode.Of(language, new Recommendation { Base = hostile, Transport = hostile, MaxInFlight = 1 }, hostile, hostile);
        string[] lines = code.Split('\n');
        Assert.All(lines.Where(line => line.Contains("os.system", StringComparison.Ordinal)), line => Assert.Matches("^(//|#)", line));
        Assert.Single(lines, line => line.Contains("os.system", StringComparison.Ordinal));
        Assert.DoesNotContain('\u2028', code);
        Assert.DoesNotContain('\r', code);
    }

    [Fact]
    public void SourceOf_describes_run_and_result_in_one_line() =>
        Assert.Equal(
            "larder tune, 2026-11-21: 60,000 calls per second on a schedule with a concurrency limit of 5, p99.9 3.10 ms (2.80 ms to 3.40 ms) (target 5 ms)",
            ConfigurationCode.SourceOf(SampleRun.Make()));

    /// <summary>
    /// Removes the indentation of each line. The report's code can then be compared with the compiled copy, which is indented because it is inside a method.
    /// </summary>
    private static string Flat(string code) => string.Join('\n', code.Split('\n').Select(line => line.Trim())).Trim();

    private static async Task<string> RunAsync(string folder, string program, params string[] arguments)
    {
        ProgramRun run = await ProgramRun.OfAsync(new ProgramCommand(program, program, arguments) { Folder = folder });
        return run.Require(program);
    }
}

/// <summary>A test that requires the built Node client. It is skipped if the client is not built.</summary>
internal sealed class NodeClientFactAttribute : FactAttribute
{
    public NodeClientFactAttribute()
    {
        if (
            !File.Exists(Checkout.At("clients/node/dist/src/index.js"))
            || !File.Exists(Checkout.At("clients/node/node_modules/typescript/bin/tsc")))
        {
            Skip = "the Node client is not built: tools/setup node";
        }
    }
}
