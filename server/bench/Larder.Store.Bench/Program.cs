using Larder.Store.Bench;

string table = args.Length > 0 ? args[0] : "all";
if (table is "all" or "speed")
{
    SpeedTable.Print();
}

return 0;
