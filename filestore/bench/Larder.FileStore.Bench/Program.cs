using System.Globalization;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Larder.FileStore.Bench;

// Examples: --filter '*' · --filter '*(Entries: 10000)' · --filter '*Writes*'. A partial run replaces only its own rows of the results.
// 'random' measures reads of one key and of random keys, in the cache and in a Dictionary, and writes random.md.
// 'openings [ENTRIES]' measures how much a writing process is delayed while another one opens the cache. The default is 3 million entries.
// Without arguments, only figures.md is recreated, from the stored rows.
string folder = Path.Combine(Provenance.RepositoryRoot, "filestore", "bench", "results");
if (args is ["random"])
{
    string page = RandomReads.Run();
    Console.Write(page);
    File.WriteAllText(Path.Combine(folder, "random.md"), page);
    return;
}
if (args is ["openings", ..])
{
    Console.Write(Openings.Run(args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 3_000_000));
    return;
}
if (args is ["open", string path])
{
    Openings.Open(path);
    return;
}
Measurements measurements = Measurements.Load(Path.Combine(folder, "figures.jsonl"));
if (args.Length > 0)
{
    foreach (Summary summary in BenchmarkSwitcher.FromAssembly(typeof(Reads).Assembly).Run(args, new Settings()))
    {
        measurements.Merge(summary, Provenance.Of(summary));
    }
    measurements.Save();
}
File.WriteAllText(Path.Combine(folder, "figures.md"), new FiguresPage(measurements).ToString());
