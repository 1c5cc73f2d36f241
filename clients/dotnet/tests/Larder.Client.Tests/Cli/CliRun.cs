using System.Text;

namespace Larder.Client.Tests.Cli;

/// <summary>What a run of the command line left.</summary>
internal sealed record CliRun(int Code, byte[] Output, string Error)
{
    public string Text => Encoding.UTF8.GetString(Output);
}
