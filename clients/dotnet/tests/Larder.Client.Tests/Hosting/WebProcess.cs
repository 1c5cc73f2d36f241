using System.Text.RegularExpressions;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Client.Tests.Hosting;

/// <summary>The web site example, run as a process on a free port.</summary>
internal sealed partial class WebProcess : ChildProcess
{
    private readonly Uri _address;

    private WebProcess(ProgramCommand command)
        : base(command) => _address = new Uri(ReadyAsync(Listening()).GetAwaiter().GetResult().Groups[1].Value);

    /// <summary>Starts the process and waits until it listens.</summary>
    public static WebProcess Start(string larderUrl, string keys) =>
        new(ProgramCommand.Dotnet(
            "WebSite", Checkout.Program("clients/dotnet/examples/WebSite"), "--urls", "http://127.0.0.1:0", "--Keys", keys, "--Larder:Url", larderUrl) with
        {
            Environment = new Dictionary<string, string?> { ["DOTNET_EnableDiagnostics"] = "0" },
        });

    public Uri Url(string path) => new(_address, path);

    [GeneratedRegex(@"Now listening on: (\S+)")]
    private static partial Regex Listening();
}
