using System.Text.RegularExpressions;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.FileStore.Tests.Support;

/// <summary>A web application of <c>filestore/examples</c> as a separate process on a free port.</summary>
internal sealed partial class WebProcess : ChildProcess
{
    private readonly Uri _address;

    private WebProcess(ProgramCommand command)
        : base(command) => _address = new Uri(ReadyAsync(Listening()).GetAwaiter().GetResult().Groups[1].Value);

    /// <summary>Starts the application and waits until it listens.</summary>
    internal static WebProcess StartExample(string name, params string[] arguments) =>
        new(ProgramCommand.Dotnet(name, Checkout.Program($"filestore/examples/{name}"), ["--urls", "http://127.0.0.1:0", .. arguments]) with
        {
            Environment = new Dictionary<string, string?> { ["DOTNET_EnableDiagnostics"] = "0" },
        });

    internal Uri Url(string path = "") => new(_address, path);

    [GeneratedRegex(@"Now listening on: (\S+)")]
    private static partial Regex Listening();
}
