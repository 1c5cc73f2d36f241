using Larder.Harness;
using Larder.Report.Runs;


namespace Larder.Report.Tests.Runs;

/// <summary>A small run of the tuner on a real machine. The file is committed as the tuner wrote it. It contains the command line of the run.</summary>
internal static class RealRun
{
    /// <summary>Reads the run.</summary>
    public static TuneRun Read() => TuneRunFile.Read(Checkout.At("report/tests/Larder.Report.Tests/Runs/real-run.json"));
}
