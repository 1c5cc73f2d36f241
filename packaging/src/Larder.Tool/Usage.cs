namespace Larder.Tool;

/// <summary>The output of <c>larder help</c>.</summary>
internal static class Usage
{
    public const string Text = $"""
        {CommandList.Title}

        Run a cache
          quickstart            start a server, store a few values, measure it and show what to do next
        {CommandList.Serve}
        {CommandList.Use}
        Tune and measure
          tune                  find the best concurrency for a latency target: --target p999=5ms
          bench                 measure the .NET client against a server
        Other
          help  --version

        The repository's ./larder also measures the Python and Node clients, starts fleets and runs the tests.
        """;
}
